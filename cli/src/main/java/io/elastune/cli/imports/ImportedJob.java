package io.elastune.cli.imports;

import io.elastune.cli.text.JobName;
import io.elastune.core.config.yaml.YamlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Writes the job file of an imported search. */
final class ImportedJob {
  static final int DEFAULT_TRIALS = 20;

  private static final String DEFAULT_METRIC = "loss";
  private static final int COMMENT_COLUMN = 32;

  private final ImportedSearch search;
  private final String file;

  ImportedJob(ImportedSearch search, String file) {
    this.search = search;
    this.file = file;
  }

  /** Returns the job's name. */
  String name() {
    String text = search.name().isBlank() ? file.replaceFirst("^.*/", "") : search.name();
    return JobName.of(text.replaceFirst("\\.(ya?ml|json|db|sqlite3?|log|jsonl)$", ""), "imported");
  }

  /** Returns the metric's name. */
  String metric() {
    return search.metric().orElse(DEFAULT_METRIC);
  }

  /** Returns the goal: {@code maximize} or {@code minimize}. */
  String goal() {
    return search.maximize().orElse(false) ? "maximize" : "minimize";
  }

  /** Returns the text, with what has no counterpart as comments. */
  String text() {
    List<String> lines = new ArrayList<>();
    lines.add("# Imported from " + file + ", " + search.kind() + ".");
    if (!search.notes().isEmpty()) {
      lines.add("# What has no counterpart there, or is to be checked:");
      search.notes().forEach(note -> lines.add("#   " + note.text().replace("\n", " ")));
    }
    lines.add(
        "# 'elastune plan' shows the effect of a change on time and cost, and starts nothing.");
    lines.add("name: " + name());
    lines.add(
        search
            .deadline()
            .map(text -> "deadline: " + text)
            .orElse(
                commented(
                    "deadline: 1h", "not in the imported file: set it, or budget: {usd: 10}")));
    lines.add("search:");
    lines.add(
        search.isGrid()
            ? commented("  algorithm: grid", "every combination")
            : commented(
                "  algorithm: random", "sha and asha end bad trials early: see docs/searches.md"));
    lines.add("  metric: " + metricFields());
    if (search.pattern().isEmpty()) {
      lines.add(
          "  # The value is that of the last line of output that is a JSON object with this name."
              + " See search.metric.pattern and from.");
    }
    if (!search.isGrid()) {
      lines.add(
          search.trials().isPresent()
              ? "  trials: " + search.trials().get()
              : commented("  trials: " + DEFAULT_TRIALS, "not in the imported file"));
    }
    if (search.repeat() > 1) {
      lines.add(commented("  repeat: " + search.repeat(), "trials of each configuration"));
    }
    search.seed().ifPresent(seed -> lines.add("  seed: " + seed));
    if (!search.stop().isEmpty()) {
      lines.add("  stop:");
      search.stop().forEach((field, text) -> lines.add("    " + field + ": " + text));
    }
    lines.add("  space:");
    for (Map.Entry<String, ImportedSearch.Entry> entry : search.space().entrySet()) {
      lines.add("    " + YamlWriter.flow(entry.getKey()) + ": " + entry.getValue().text());
    }
    lines.add("trial:");
    lines.add("  workdir: .");
    String run = search.run().orElse("python train.py {args}");
    lines.add(
        search.run().isPresent()
            ? "  run: " + YamlWriter.command(run, "    ")
            : commented("  run: " + run, "not in the imported file"));
    return String.join("\n", lines) + "\n";
  }

  private String metricFields() {
    return "{name: "
        + YamlWriter.flow(metric())
        + ", goal: "
        + goal()
        + search.pattern().map(text -> ", pattern: '" + text.replace("'", "''") + "'").orElse("")
        + "}";
  }

  private static String commented(String text, String comment) {
    return String.format("%-" + COMMENT_COLUMN + "s # %s", text, comment);
  }
}
