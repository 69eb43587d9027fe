import { drawPage } from "../../base/page/frame.js";
import { cudaView } from "./cuda.js";

drawPage({ cuda: cudaView });
