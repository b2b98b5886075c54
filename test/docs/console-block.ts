/** One command of a block, with the output that the page shows below it. */
export interface ShownCommand {
  command: string;
  output: string[];
}

/**
 * Commands of a `console` block: `$ ` begins one, `> ` continues it, every other line is output.
 *
 * @throws Error when output stands before the first command.
 */
export function consoleCommands(text: string): ShownCommand[] {
  const commands: ShownCommand[] = [];
  for (const line of text.split('\n')) {
    const last = commands.at(-1);
    if (line.startsWith('$ ')) commands.push({ command: line.slice(2), output: [] });
    else if (last === undefined) throw new Error(`Output before the first command: ${line}`);
    else if (line.startsWith('> ') && last.output.length === 0) last.command += `\n${line.slice(2)}`;
    else last.output.push(line);
  }
  return commands;
}
