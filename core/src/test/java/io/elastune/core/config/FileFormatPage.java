package io.elastune.core.config;

import io.elastune.core.config.codec.Field;
import io.elastune.core.config.codec.Section;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Generates {@code docs/job-file.md}. */
final class FileFormatPage {
  private static final String INTRODUCTION =
      """
      # File formats

      *Generated from the code by `DocsTest`; do not edit by hand.*

      There are four types of files. A [job](#job-file) defines what to tune, by when and for how
      much. A [profile](#profile-file) contains measurements of the training program.
      [Offers](#offers-file) describe what can be rented. A [plan](#plan-file) assigns instances to
      trial groups. JSON Schemas for editors are in [schema/](schema/). The interface between
      Elastune and a training program is described in [trial-protocol.md](trial-protocol.md).

      All files are YAML 1.2, which includes JSON. Nothing is converted silently: a quoted number is
      a string, 4.5 is not a count, `yes` is a string, and a number with a leading zero is a string.
      Duplicate and unknown fields are problems, as are anchors, aliases, tags and multiple
      documents. All problems are reported at once, before anything is started or charged:

      ```
      job.yaml:8: search.trials: must be a whole number from 1 to 100000, not 4.5
      job.yaml:9: search.etta: unknown field of search (did you mean eta?)
      ```

      | notation | meaning |
      |---|---|
      | duration | `90s`, `45m`, `3h`, `14d`, `1h30m`, `429.9s`; at most `3650d` |
      | date-time with offset | `2026-11-20T18:00:00Z`, `2026-11-20T18:00:00+01:00` |
      | fraction | `80%` or `0.8` |
      | range | `1..8`, both ends included; `4` is `4..4` |
      | money | US dollars, as a plain number; at most 1,000,000,000 |
      | seconds | a plain number; at most 315,360,000, which is 3650 days |

      Numbers must be finite: `.nan`, `.inf` and 1e999 are problems. Unrealistically large values are
      also problems, so that no total overflows: a coefficient of variation above 100, more than
      10,000 instances, 1,000 GPUs per instance, 64 trials per GPU or 100,000 trials, and money and
      seconds above the limits in the table. Divisors have a minimum: seconds per unit and `samples`
      are at least 0.000001, and `granularity_s` is at least 0.001.

      `--deadline --budget --confidence --infra --profile --offers --seed --trials --brackets
      --market --gpu --instance-types --max-instances --wait-for-capacity` on the command line override
      `deadline`, `budget.usd`, `confidence`, `resources.infra`, `profile.file`, `resources.offers`,
      `search.seed`, `search.trials`, `search.brackets`, `resources.market`, `resources.gpu`, `resources.instance_types`,
      `resources.max_instances` and `resources.wait_for_capacity`. The same rules apply to them.
      """;

  private static final Map<String, String> TITLES =
      Map.of(
          "job", "Job file",
          "profile", "Profile file",
          "offers", "Offers file",
          "plan", "Plan file");

  private final StringBuilder out = new StringBuilder(INTRODUCTION);
  private final Set<String> done = new HashSet<>();

  private FileFormatPage() {}

  static String of(Map<String, Section<?>> sections) {
    FileFormatPage page = new FileFormatPage();
    sections.forEach(page::file);
    return page.out.toString();
  }

  /** Returns the example of a type of file. */
  static String example(String kind) {
    String name = kind.equals("plan") ? "plan.json" : kind + ".yaml";
    try (InputStream in = FileFormatPage.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void file(String kind, Section<?> root) {
    String language = kind.equals("plan") ? "json" : "yaml";
    out.append("\n## ").append(TITLES.get(kind)).append("\n\n").append(root.doc()).append("\n\n");
    out.append("```").append(language).append('\n').append(example(kind)).append("```\n");
    done.clear();
    section(root);
  }

  private void section(Section<?> section) {
    if (!section.title().isEmpty()) {
      out.append("\n### ")
          .append(section.title())
          .append("\n\n")
          .append(section.doc())
          .append('\n');
    }
    out.append("\n| field | type | default | meaning | example |\n|---|---|---|---|---|\n");
    section.fields().forEach(this::row);
    for (Field<?, ?> field : section.fields()) {
      for (Section<?> below : Section.sectionsIn(field)) {
        if (done.add(below.title())) {
          section(below);
        }
      }
    }
  }

  private void row(Field<?, ?> field) {
    String absent =
        field.need() == Field.FieldRequirement.REQUIRED ? "**required**" : field.absentText();
    out.append("| `").append(field.name()).append("` | ");
    out.append(cell(field.codec().type())).append(" | ");
    out.append(cell(absent)).append(" | ");
    out.append(cell(field.doc())).append(" | ");
    String example = field.example().isEmpty() ? "see the file above" : "`" + field.example() + "`";
    out.append(cell(example)).append(" |\n");
  }

  private static String cell(String text) {
    return text.replace("|", "\\|");
  }
}
