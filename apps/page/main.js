import { drawPage } from "../../base/page/frame.js";
import { poolView } from "./pool.js";

drawPage({ pool: poolView });
