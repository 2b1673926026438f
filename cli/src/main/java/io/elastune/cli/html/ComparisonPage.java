package io.elastune.cli.html;

import io.elastune.cli.text.TextTable;
import java.util.List;
import java.util.Map;

/**
 * Places, markets and limits compared, as HTML.
 *
 * @param title what is compared
 * @param sources where the prices come from
 * @param assumed what is assumed
 * @param cases the table of the cases
 * @param notes what is noteworthy
 */
public record ComparisonPage(
    String title, List<String> sources, String assumed, TextTable cases, List<String> notes) {
  public ComparisonPage {
    sources = List.copyOf(sources);
    notes = List.copyOf(notes);
  }

  /** Returns the page, or the fragment that it consists of. */
  public String html(boolean fragment) {
    return fragment ? HtmlPage.fragment(body()) : HtmlPage.page(title, body(), false);
  }

  private String body() {
    return HtmlPage.render(
        "comparison.html",
        Map.of(
            "title",
            title,
            "origin",
            String.join(" · ", sources),
            "assumed",
            assumed,
            "cases",
            HtmlTable.markup(
                List.of(
                    HtmlTable.values("Cases", List.of(), cases.headings(), cases.rows(), "cases"))),
            "noted",
            !notes.isEmpty(),
            "notes",
            HtmlTable.lines(notes)));
  }
}
