// Everything that the page of a conversation does by itself; each file has one noun.
import "./composer.js";
import "./copy.js";
import "./drawers.js";
import "./folds.js";
import "./inspector.js";
import "./list.js";
import "./live.js";
import "./markers.js";
import "./memory_edit.js";
import "./panels.js";
import "./preview.js";
import "./scroll.js";
import "./source.js";
import "./themes.js";
import "./wire.js";
