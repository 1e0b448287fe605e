"""Pictures as pixels: the text of an SVG file in, an array of red, green and blue out.

The letters are drawn with the font that comes with the library for pictures, so that they are there, and the same, on
machines without any fonts; what it does not have is taken from those of the machine.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from xml.etree import ElementTree

try:
    import numpy as np
    import resvg_py
    from PIL import Image, ImageFont
except ImportError as error:
    raise ImportError(
        f"nothing draws pixels here ({error}); it comes with `pip install 'rulewright[pettingzoo]'`"
    ) from error

SIDE = 720
"""How wide and high every picture is: frames of a film are of one size."""


def pixels(svg: str | None) -> np.ndarray[Any, Any]:
    """Return a picture as an array of `SIDE` rows of `SIDE` pixels, each red, green and blue from 0 to 255;
    what it does not fill is white, and so is all of it if there is none."""
    sheet = Image.new("RGB", (SIDE, SIDE), "white")
    if svg is not None:
        drawn = _drawn(svg)
        sheet.paste(drawn, ((SIDE - drawn.width) // 2, (SIDE - drawn.height) // 2))
    return np.array(sheet)


def _drawn(svg: str) -> Image.Image:
    root = ElementTree.fromstring(svg)
    width, height = float(root.get("width", 1)), float(root.get("height", 1))
    longer = {"width": SIDE} if width >= height else {"height": SIDE}
    font = ImageFont.load_default(size=12)
    with TemporaryDirectory() as folder:
        file = Path(folder) / "letters.ttf"
        file.write_bytes(font.font_bytes)
        png = resvg_py.svg_to_bytes(
            svg_string=svg,
            background="white",
            font_files=[str(file)],
            sans_serif_family=font.getname()[0],
            **longer,
        )
    return Image.open(BytesIO(png)).convert("RGB")
