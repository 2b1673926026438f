package io.elastune.cli.service;

import io.elastune.cli.service.CommandOptions.Option;
import io.elastune.core.config.yaml.YamlWriter;
import io.elastune.core.job.CommandTemplate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Writes the job file of a command whose options are to be tuned. */
final class CommandJob {
  private static final Pattern HIGHER_IS_BETTER =
      Pattern.compile(
          ".*(acc|auc|f1|precision|recall|score|r2|iou|map|bleu|rouge|dice|reward|return|psnr|ssim"
              + "|ndcg|kappa|corr|hit).*");
  private static final int COMMENT_COLUMN = 56;

  private final CommandOptions command;
  private final Map<Option, String> ranges = new LinkedHashMap<>();

  CommandJob(String command) {
    this.command = new CommandOptions(command);
    this.command
        .options()
        .forEach(option -> OptionRange.of(option).ifPresent(range -> ranges.put(option, range)));
    if (!this.command.canJoin(tuned())) {
      ranges.keySet().removeIf(Option::isFlag); // no placeholder of its own writes a flag
    }
  }

  private List<Option> tuned() {
    return List.copyOf(ranges.keySet());
  }

  /** Returns whether no option can be tuned. */
  boolean isEmpty() {
    return ranges.isEmpty();
  }

  /**
   * Returns the job file.
   *
   * @param name the job's name
   * @param metric the name of the metric
   * @param workdir the folder in which the command runs, relative to the job file
   */
  String text(String name, String metric, String workdir) {
    boolean maximize = HIGHER_IS_BETTER.matcher(metric.toLowerCase(Locale.ROOT)).matches();
    String goal = "{name: " + metric + ", goal: " + (maximize ? "maximize" : "minimize");
    return """
        # Tunes the options of this command:
        #   %s
        # 'elastune plan job.yaml' shows the effect of a change on time and cost, and starts nothing.
        name: %s
        deadline: 1h                    # from the start of the command; includes profiling
        search:
          algorithm: random             # sha and asha end bad trials early: see docs/trial-protocol.md
          # The value is that of the last line of output that is a JSON object with this name:
          metric: %s}
          # Or that of the last match in the output, or in a JSON file that the program writes:
          # metric: %s, pattern: '%s = (.*)'}
          # metric: %s, from: metrics.json}
          trials: 20
          space:                        # ranges around the values of the command: adapt them
        %s
          configs: [{%s}]
        trial:
          workdir: %s
          run: %s
        """
        .formatted(
            command.command().replace("\n", "\n#   "),
            name,
            goal,
            goal,
            metric,
            goal,
            space(),
            values(),
            workdir,
            run());
  }

  private String space() {
    return ranges.entrySet().stream()
        .map(
            entry ->
                String.format(
                    "%-" + COMMENT_COLUMN + "s # %s",
                    "    " + entry.getKey().name() + ": " + entry.getValue(),
                    entry.getKey().value()))
        .collect(Collectors.joining("\n"));
  }

  private String values() {
    return ranges.keySet().stream()
        .map(option -> option.name() + ": " + value(option.value()))
        .collect(Collectors.joining(", "));
  }

  private static String value(String text) {
    boolean word = text.equals("True") || text.equals("False");
    return word ? "\"" + text + "\"" : text;
  }

  private String run() {
    boolean hasFlags = ranges.keySet().stream().anyMatch(Option::isFlag);
    String text =
        hasFlags
            ? command.template(tuned(), CommandTemplate.ARGS_WITH_FLAGS)
            : command.template(tuned());
    return YamlWriter.command(text, "    ");
  }
}
