"""The interactive report: its content is gathered here as plain data and put into one HTML file.

Layout and behaviour are in template.html, style.css and the .js files of this folder; lines and points are drawn by
plotly.js, shipped at a fixed version. Nothing is computed here that another package could compute.
"""
