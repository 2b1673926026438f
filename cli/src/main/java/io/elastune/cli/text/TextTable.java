package io.elastune.cli.text;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Renders a table as text: columns two spaces apart, no borders, no trailing spaces. */
public final class TextTable {
  private final List<Heading> headings = new ArrayList<>();
  private final List<String[]> rows = new ArrayList<>();

  /** A heading of a column, which is right-aligned if it has numbers. */
  public record Heading(String text, boolean right) {
    Column column() {
      HorizontalAlign align = right ? HorizontalAlign.RIGHT : HorizontalAlign.LEFT;
      return new Column().header(text).headerAlign(align).dataAlign(align);
    }
  }

  /** Adds a left-aligned column. */
  public TextTable left(String header) {
    return column(header, false);
  }

  /** Adds a right-aligned column. */
  public TextTable right(String header) {
    return column(header, true);
  }

  private TextTable column(String header, boolean right) {
    headings.add(new Heading(header, right));
    return this;
  }

  /** Adds a row, with a cell for every column. */
  public TextTable row(Object... cells) {
    rows.add(Arrays.stream(cells).map(String::valueOf).toArray(String[]::new));
    return this;
  }

  /** Returns the headings of the columns. */
  public List<Heading> headings() {
    return List.copyOf(headings);
  }

  /** Returns the cells of all rows. */
  public List<List<String>> rows() {
    return rows.stream().map(List::of).toList();
  }

  /** Returns the header and the rows. */
  public List<String> lines() {
    String text =
        AsciiTable.getTable(
            AsciiTable.NO_BORDERS,
            headings.stream().map(Heading::column).toArray(Column[]::new),
            rows.toArray(new String[0][]));
    return text.lines().map(String::stripTrailing).filter(line -> !line.isEmpty()).toList();
  }
}
