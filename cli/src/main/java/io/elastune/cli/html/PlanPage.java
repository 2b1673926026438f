package io.elastune.cli.html;

import io.elastune.cli.text.FrontierTable;
import io.elastune.cli.text.TextTable;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A plan as HTML, or the reasons why there is none.
 *
 * @param title what is planned
 * @param sources where the numbers come from
 * @param totals completion time, cost and limits
 * @param groups the table of the groups; empty without a plan
 * @param chart the time–cost frontier as SVG; empty if it has no plan
 * @param notes what is noteworthy
 * @param frontier the table of the frontier, if it is requested
 */
public record PlanPage(
    String title,
    List<String> sources,
    List<String> totals,
    Optional<TextTable> groups,
    String chart,
    List<String> notes,
    Optional<FrontierTable> frontier) {
  public PlanPage {
    sources = List.copyOf(sources);
    totals = List.copyOf(totals);
    notes = List.copyOf(notes);
  }

  /** Returns the page, or the fragment that it consists of. */
  public String html(boolean fragment) {
    return fragment ? HtmlPage.fragment(body()) : HtmlPage.page(title, body(), false);
  }

  private String body() {
    return HtmlPage.render(
        "plan.html",
        Map.of(
            "title",
            title,
            "origin",
            String.join(" · ", sources),
            "totals",
            HtmlTable.lines(totals),
            "groups",
            table("Trial groups", List.of(), groups, "groups"),
            "chart",
            Stream.of(chart)
                .filter(image -> !image.isEmpty())
                .map(image -> Map.of("image", encoded(image)))
                .toList(),
            "noted",
            !notes.isEmpty(),
            "notes",
            HtmlTable.lines(notes),
            "frontier",
            table(
                "Time–cost frontier",
                frontier.map(FrontierTable::notes).orElse(List.of()),
                frontier.map(FrontierTable::table),
                "plans")));
  }

  /** An image has its own styles and identifiers, which must not apply to the page around it. */
  private static String encoded(String svg) {
    return Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8));
  }

  private static String table(
      String name, List<String> notes, Optional<TextTable> table, String things) {
    return table
        .map(
            some ->
                HtmlTable.markup(
                    List.of(HtmlTable.values(name, notes, some.headings(), some.rows(), things))))
        .orElse("");
  }
}
