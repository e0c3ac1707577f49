"""Parts of the dashboard: each draws a state and posts what was pressed."""
