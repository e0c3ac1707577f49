"""The colours, dark and light. Stylesheets use their names only."""

from typing import Final

from textual.theme import Theme

DARK: Final = Theme(
    name="collie-dark",
    primary="#7aa2d6",
    secondary="#8a93a6",
    accent="#e0a458",
    foreground="#d5dae3",
    background="#14171c",
    surface="#14171c",
    panel="#1f242c",
    success="#8fbf7f",
    warning="#e6b455",
    error="#e0736b",
    dark=True,
    variables={
        "quiet": "#7f8899",
        "edge": "#3a424f",
        "cursor-row": "#26303d",
        "key-back": "#2f3947",
        "scrollbar": "#3a424f",
        "scrollbar-hover": "#55607a",
        "scrollbar-active": "#7aa2d6",
        "scrollbar-background": "#14171c",
        "scrollbar-background-hover": "#14171c",
        "scrollbar-background-active": "#14171c",
    },
)

LIGHT: Final = Theme(
    name="collie-light",
    primary="#2c5f9e",
    secondary="#5a6474",
    accent="#9a5b00",
    foreground="#22262d",
    background="#fbfaf7",
    surface="#fbfaf7",
    panel="#ebe8e1",
    success="#2f6d2a",
    warning="#8a5a00",
    error="#a8322a",
    dark=False,
    variables={
        "quiet": "#667080",
        "edge": "#c9c4b8",
        "cursor-row": "#e2e7ef",
        "key-back": "#dcd8ce",
        "scrollbar": "#c9c4b8",
        "scrollbar-hover": "#a9a496",
        "scrollbar-active": "#2c5f9e",
        "scrollbar-background": "#fbfaf7",
        "scrollbar-background-hover": "#fbfaf7",
        "scrollbar-background-active": "#fbfaf7",
    },
)
