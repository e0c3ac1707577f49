"""Whole windows and dialogs; they alone, with the app, call the engine."""
