import { drawPage } from "../../base/page/frame.js";
import { Engine } from "./engine.js";
import { poolView } from "./pool.js";

drawPage({ pool: (data) => poolView(data, Engine) });
