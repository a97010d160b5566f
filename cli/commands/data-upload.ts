import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { defaultName, findFiles } from "../data/local-files.ts";
import { uploadVolume } from "../data/upload-volume.ts";
import { printableLine } from "../output/printable.ts";
import { sizeText } from "../output/size-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic data upload`: makes a data volume of a folder's files, or of one file. What is there is not sent again. */
export function dataUpload(context: Context): Command {
  return withOutput(new Command("upload"))
    .description("make a data volume of files, such as proving keys; what is there already is not sent again")
    .argument("<path>", "a folder, of which all files are taken, or a file", notEmpty("path"))
    .option("--name <name>", "name of the volume (default: that of the folder or file)", notEmpty("name"))
    .addHelpText("after", examples("elastic data upload keys/", "elastic data upload srs.ptau --name srs-k20"))
    .action(async (path: string, options: { readonly name?: string }) => {
      const { printer } = context;
      const files = await findFiles(path);
      const caller = await openSession(context);
      const name = options.name ?? defaultName(path);
      const { volume, sentFiles, sentBytes } = await uploadVolume(context, caller, name, files);
      const { volume_id: id, file_count: count, bytes } = volume;
      const sent = sentFiles === 0 ? "nothing had to be sent" : `${sizeText(sentBytes)} sent`;
      printer.result({
        json: { ...volume, sent_files: sentFiles, sent_bytes: sentBytes },
        text: `Volume ${printableLine(volume.name)} (${printableLine(id)}): ${count === 1 ? "1 file" : `${count} files`}, ${sizeText(bytes)}, ${sent}.`,
      });
      printer.note(`Next: elastic deploy --data ${volume.name}; its prover finds the files at /data.`);
    });
}
