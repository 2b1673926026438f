package io.elastune.core.config;

import io.elastune.core.config.yaml.ByteOrderMark;
import io.elastune.core.config.yaml.ProblemCollector;
import io.elastune.core.config.yaml.SourcePosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.dataformat.csv.CsvFactory;
import tools.jackson.dataformat.csv.CsvReadFeature;

/** Reads the rows of a CSV file (RFC 4180). Lines without a character are skipped. */
final class CsvRows {
  private static final CsvFactory CSV =
      CsvFactory.builder()
          .enable(CsvReadFeature.TRIM_SPACES)
          .enable(CsvReadFeature.SKIP_EMPTY_LINES)
          .build();

  private CsvRows() {}

  /**
   * One row.
   *
   * @param place where it starts
   * @param cells the cells without their quotes
   */
  record Row(SourcePosition place, List<String> cells) {
    Row {
      cells = List.copyOf(cells);
    }
  }

  /** Returns all rows; empty if the text is not valid CSV, after adding a problem. */
  static Optional<List<Row>> read(
      String file, String field, String text, ProblemCollector problems) {
    List<Row> rows = new ArrayList<>();
    try (JsonParser parser =
        CSV.createParser(ObjectReadContext.empty(), ByteOrderMark.strip(text))) {
      while (parser.nextToken() == JsonToken.START_ARRAY) {
        int line = parser.currentLocation().getLineNr();
        List<String> cells = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          cells.add(parser.getString());
        }
        rows.add(new Row(new SourcePosition(file, line), cells));
      }
      return Optional.of(rows);
    } catch (JacksonException e) {
      int line = e.getLocation() == null ? 0 : e.getLocation().getLineNr();
      problems.add(
          new SourcePosition(file, Math.max(0, line)),
          field,
          "is not valid CSV: " + e.getOriginalMessage(),
          "put a cell with a comma or a quote in quotes, and double its quotes");
      return Optional.empty();
    }
  }
}
