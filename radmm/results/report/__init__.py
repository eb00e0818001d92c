"""The interactive report: its content is gathered here as plain data and put into one HTML file.

Its looks are in template.html, style.css and the .js files beside; lines and points are drawn by plotly.js, which is
shipped at a fixed version. Nothing is computed here that another package could compute.
"""
