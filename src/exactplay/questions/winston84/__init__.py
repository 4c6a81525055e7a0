"""What can be asked of Winston: Nineteen Eighty-Four."""
from exactplay.questions.winston84.face import FACE

__all__ = ["FACE"]
