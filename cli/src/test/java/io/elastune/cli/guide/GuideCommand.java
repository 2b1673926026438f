package io.elastune.cli.guide;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A shell command of a guide.
 *
 * @param line its line in the guide
 * @param onController whether it is a command of a session on the controller
 * @param text the command, with the lines of its here-document
 */
record GuideCommand(int line, boolean onController, String text) {
  private static final Pattern HERE_DOCUMENT = Pattern.compile("<<'?(\\w+)'?");

  /** Code that begins with a program of the guides. */
  private static final Pattern CODE =
      Pattern.compile(
          "`((?:[A-Z_]+=\\S+ )?(?:aws|cp|elastune|export|gcloud|sudo|terraform) [^`]+)`");

  /**
   * Returns the commands of all blocks that begin with {@code ```sh}, or with that and a machine.
   */
  static List<GuideCommand> of(Path guide) throws IOException {
    List<String> lines = Files.readAllLines(guide);
    List<GuideCommand> commands = new ArrayList<>();
    boolean inside = false;
    boolean onController = false;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith("```")) {
        onController = line.equals("```sh controller");
        inside = onController || line.equals("```sh");
      } else if (inside) {
        int first = i;
        StringBuilder text = new StringBuilder(line);
        Matcher document = HERE_DOCUMENT.matcher(line);
        if (document.find()) {
          do {
            text.append('\n').append(lines.get(++i));
          } while (!lines.get(i).equals(document.group(1)));
        }
        commands.add(new GuideCommand(first + 1, onController, text.toString()));
      }
    }
    return commands;
  }

  /** Returns the commands in the sentences and tables, between backticks. */
  static List<GuideCommand> inText(Path guide) throws IOException {
    List<String> lines = Files.readAllLines(guide);
    List<GuideCommand> commands = new ArrayList<>();
    boolean inside = false;
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).startsWith("```")) {
        inside = !inside;
      } else if (!inside) {
        for (Matcher code = CODE.matcher(lines.get(i)); code.find(); ) {
          commands.add(new GuideCommand(i + 1, false, code.group(1)));
        }
      }
    }
    return commands;
  }

  /** Returns whether the command begins with a text. */
  boolean is(String begin) {
    return text.startsWith(begin);
  }
}
