package io.elastune.cli.text;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.HorizontalAlign;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Renders a table as text: columns two spaces apart, no borders, no trailing spaces. */
public final class TextTable {
  private final List<Column> columns = new ArrayList<>();
  private final List<String[]> rows = new ArrayList<>();

  /** Adds a left-aligned column. */
  public TextTable left(String header) {
    return column(header, HorizontalAlign.LEFT);
  }

  /** Adds a right-aligned column. */
  public TextTable right(String header) {
    return column(header, HorizontalAlign.RIGHT);
  }

  private TextTable column(String header, HorizontalAlign align) {
    columns.add(new Column().header(header).headerAlign(align).dataAlign(align));
    return this;
  }

  /** Adds a row, with a cell for every column. */
  public TextTable row(Object... cells) {
    rows.add(Arrays.stream(cells).map(String::valueOf).toArray(String[]::new));
    return this;
  }

  /** Returns the header and the rows. */
  public List<String> lines() {
    String text =
        AsciiTable.getTable(
            AsciiTable.NO_BORDERS, columns.toArray(new Column[0]), rows.toArray(new String[0][]));
    return text.lines().map(String::stripTrailing).filter(line -> !line.isEmpty()).toList();
  }
}
