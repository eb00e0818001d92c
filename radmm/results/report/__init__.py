"""The report that one explores in a browser: what it shows is gathered here as plain data and put into one file.

How it looks is in template.html, style.css and the .js files beside; lines and points are drawn by plotly.js, which is
shipped at a fixed version. Nothing is computed here that another room could tell.
"""
