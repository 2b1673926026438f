package io.elastune.cli.svg;

/** The style sheet of charts that are files of their own, in light and dark color schemes. */
public final class ChartStyle {
  private ChartStyle() {}

  /**
   * Returns the style sheet with the rules of one chart.
   *
   * @param light rules of its classes, one per line
   * @param dark what differs in a dark color scheme
   */
  public static String of(String light, String dark) {
    return """
    <style>
      svg { background: #ffffff }
      text { font: 13px sans-serif; fill: #1f2328 }
      .title { font-size: 16px; font-weight: bold }
      .small { font-size: 12px; fill: #59636e }
      .axis { stroke: #6e7781; fill: none }
      .grid { stroke: #e1e4e8; fill: none }
    """
        + light.indent(2)
        + """
          @media (prefers-color-scheme: dark) {
            svg { background: #0d1117 }
            text { fill: #e6edf3 }
            .small { fill: #9198a1 }
            .axis { stroke: #9198a1 }
            .grid { stroke: #21262d }
        """
        + dark.indent(4)
        + """
          }
        </style>
        """;
  }
}
