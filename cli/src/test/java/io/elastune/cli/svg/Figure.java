package io.elastune.cli.svg;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** A figure of the documentation, made of plots. Its file must be up to date. */
final class Figure {
  static final double WIDTH = 740;

  /** The system property with which figures are written. */
  static final String WRITE = "elastune.docs.write";

  private static final Path DOCS = Path.of("").toAbsolutePath().getParent().resolve("docs");
  private static final String STYLE =
      ChartStyle.of(
          """
          .one { stroke: #0969da; stroke-width: 2.5; fill: none }
          .two { stroke: #9a6700; stroke-width: 2.5; fill: none }
          .limit { stroke: #8250df; stroke-dasharray: 6 4; fill: none }
          .task0 { fill: #0969da }
          .task1 { fill: #9a6700 }
          .task2 { fill: #1a7f37 }
          .task3 { fill: #bc4c00 }
          .task4 { fill: #8250df }
          .task5 { fill: #bf3989 }
          .task6 { fill: #57606a }
          .task7 { fill: #1b7c83 }
          """,
          """
          .one { stroke: #58a6ff }
          .two { stroke: #d29922 }
          .limit { stroke: #a371f7 }
          """);

  private final SvgWriter image = new SvgWriter();

  /** Starts a figure with a height in pixels. */
  Figure(String title, double height) {
    image.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n",
            WIDTH,
            height));
    image.append("<title>" + MarkupEscaper.escape(title) + "</title>\n");
    image.append(STYLE);
    image.text("title", 20, 28, "start", title);
  }

  /** Adds a plot. */
  void add(SvgPlot plot) {
    image.append(plot.image().toString());
  }

  /** Compares the figure with its file, or writes it with {@code -Delastune.docs.write=true}. */
  void check(String name) throws IOException {
    String text = image + "</svg>\n";
    Path file = DOCS.resolve(name);
    if (Boolean.getBoolean(WRITE)) {
      Files.writeString(file, text);
    }
    assertThat(file)
        .as("run this test with -Delastune.docs.write=true to draw the figure again")
        .hasContent(text);
  }
}
