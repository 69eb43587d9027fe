import { drawPage } from "../../base/page/frame.js";
import { LiveEngine } from "./live_engine.js";
import { poolView } from "./pool.js";

drawPage({ pool: (data) => poolView(data, LiveEngine) });
