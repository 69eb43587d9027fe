import { drawPage } from "../../../base/page/frame.js";
import { classView } from "./class.js";
import { pairView, similarView } from "./similar.js";

drawPage({ class: classView, similar: similarView, pair: pairView });
