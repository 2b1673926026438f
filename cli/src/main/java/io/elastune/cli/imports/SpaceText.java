package io.elastune.cli.imports;

import io.elastune.core.config.yaml.ListNode;
import io.elastune.core.config.yaml.MapNode;
import io.elastune.core.config.yaml.ScalarNode;
import io.elastune.core.config.yaml.YamlNode;
import io.elastune.core.config.yaml.YamlWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Writes hyperparameters as in {@code search.space}. */
final class SpaceText {
  private SpaceText() {}

  /**
   * Returns a range, both ends included.
   *
   * @param whole whether its values are whole numbers
   * @param log whether its scale is logarithmic
   * @param step the distance between values, if they have one
   */
  static String range(
      boolean whole, boolean log, FileNumber low, FileNumber high, Optional<FileNumber> step) {
    FileNumber first = whole ? low.whole() : low;
    FileNumber last = whole ? high.whole() : high;
    if (first.value() == last.value()) {
      return constant(first.text());
    }
    List<String> fields = new ArrayList<>();
    fields.add("type: " + (whole ? "int" : log ? "loguniform" : "uniform"));
    fields.add("low: " + first.text());
    fields.add("high: " + last.text());
    if (whole && log) {
      fields.add("log: true");
    }
    step.map(size -> whole ? size.whole() : size)
        .filter(size -> !whole || size.value() != 1)
        .ifPresent(size -> fields.add("step: " + size.text()));
    return "{" + String.join(", ", fields) + "}";
  }

  /** Returns a normal distribution, or one of the logarithm. */
  static String normal(boolean log, FileNumber mean, FileNumber sd, Optional<FileNumber> step) {
    return "{type: "
        + (log ? "lognormal" : "normal")
        + ", mean: "
        + mean.text()
        + ", sd: "
        + sd.text()
        + step.map(size -> ", step: " + size.text()).orElse("")
        + "}";
  }

  /** Returns the text of a value that is no map or list. */
  static Optional<String> plain(YamlNode node) {
    return node instanceof ScalarNode scalar ? Optional.of(scalar.text()) : Optional.empty();
  }

  /** Returns a choice, or a constant if there is one value. */
  static String choice(List<String> values) {
    if (values.size() == 1) {
      return constant(values.get(0));
    }
    return "{type: choice, values: [" + String.join(", ", values) + "]}";
  }

  static String constant(String value) {
    return "{type: constant, value: " + value + "}";
  }

  /** Returns a value as in a job file; empty for maps, which hyperparameters cannot have. */
  static Optional<String> value(YamlNode node) {
    if (node instanceof ScalarNode scalar) {
      return Optional.of(
          switch (scalar.kind()) {
            case STRING -> YamlWriter.flow(scalar.text());
            case EMPTY -> "null";
            case WHOLE_NUMBER, NUMBER, BOOLEAN -> scalar.text();
          });
    }
    if (node instanceof MapNode) {
      return Optional.empty();
    }
    List<String> items = new ArrayList<>();
    for (YamlNode item : ((ListNode) node).items()) {
      Optional<String> text = value(item);
      if (text.isEmpty()) {
        return Optional.empty();
      }
      items.add(text.get());
    }
    return Optional.of("[" + String.join(", ", items) + "]");
  }
}
