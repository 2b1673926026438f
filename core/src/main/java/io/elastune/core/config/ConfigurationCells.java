package io.elastune.core.config;

import io.elastune.core.config.yaml.JsonText;
import io.elastune.core.config.yaml.SourcePosition;
import io.elastune.core.job.Dimension;
import io.elastune.core.search.ConfigurationCodec;
import java.util.Optional;

/**
 * Writes values of hyperparameters as cells of a CSV file, such that a file of {@code
 * search.configs} with these cells has the same values.
 */
public final class ConfigurationCells {
  private static final SourcePosition NOWHERE = new SourcePosition("", 1);

  private ConfigurationCells() {}

  /**
   * Returns the text of a cell, before the quotes of CSV. A string that would be read as another
   * value is written as JSON, with quotes.
   *
   * @param dimension the hyperparameter, if its space is known
   */
  public static String write(Optional<Dimension> dimension, Object value) {
    if (!(value instanceof String text)) {
      return ConfigurationCodec.writeValue(value);
    }
    String cell = unexecuted(text);
    boolean isKept = !cell.isBlank() && cell.equals(cell.strip()); // by readers of CSV
    return dimension.isEmpty() || (isKept && read(dimension, cell).equals(Optional.of(value)))
        ? cell
        : JsonText.of(text);
  }

  /** Returns the value that a cell of a CSV file has for a hyperparameter, if it allows one. */
  public static Optional<Object> read(Optional<Dimension> dimension, String cell) {
    return TableCell.value(dimension, new TableCell(NOWHERE, "", cell).typed(dimension));
  }

  /** Returns a text that no spreadsheet executes as a formula. */
  public static String unexecuted(String text) {
    return !text.isEmpty() && TableCell.EXECUTED.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
  }
}
