"""Colours and layout: a stylesheet each for what is shared, the dashboard, the agent's screen; the tones of text."""
