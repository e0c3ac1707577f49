"""What windows and panes are made of; a widget knows no engine and decides nothing."""
