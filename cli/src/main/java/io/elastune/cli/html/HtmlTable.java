package io.elastune.cli.html;

import io.elastune.cli.text.TextTable;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Tables of pages. */
final class HtmlTable {
  /** Maximum number of rows; more would make the page slow. */
  private static final int MOST_ROWS = 200;

  private HtmlTable() {}

  /** Returns the markup of tables. */
  static String markup(List<Map<String, Object>> tables) {
    return HtmlPage.render("tables.html", Map.of("tables", tables));
  }

  /**
   * Returns the values of a table.
   *
   * @param notes lines above the table
   * @param things plural noun for rows that are not shown
   */
  static Map<String, Object> values(
      String name,
      List<String> notes,
      List<TextTable.Heading> headings,
      List<List<String>> rows,
      String things) {
    int omitted = Math.max(0, rows.size() - MOST_ROWS);
    return Map.of(
        "name",
        name,
        "explained",
        lines(notes),
        "empty",
        rows.isEmpty(),
        "filled",
        !rows.isEmpty(),
        "headings",
        cells(headings, headings.stream().map(TextTable.Heading::text).toList()),
        "rows",
        rows.stream().limit(MOST_ROWS).map(row -> Map.of("cells", cells(headings, row))).toList(),
        "omitted",
        omitted == 0 ? List.of() : List.of(Map.of("count", omitted, "things", things)));
  }

  /** Returns lines as the values of a section. */
  static List<Map<String, Object>> lines(List<String> lines) {
    return lines.stream().map(line -> Map.<String, Object>of("line", line)).toList();
  }

  private static List<Map<String, Object>> cells(
      List<TextTable.Heading> headings, List<String> texts) {
    return IntStream.range(0, headings.size())
        .mapToObj(
            i -> Map.<String, Object>of("number", headings.get(i).right(), "text", texts.get(i)))
        .toList();
  }
}
