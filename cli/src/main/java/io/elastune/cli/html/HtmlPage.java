package io.elastune.cli.html;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;

/**
 * A self-contained HTML page without scripts, other files or network access, or a fragment of one
 * for other pages. The rules of both apply only to the elements of class {@code elastune}.
 */
final class HtmlPage {
  private HtmlPage() {}

  /**
   * Returns a page.
   *
   * @param live whether the file will be rewritten, so that the browser should reload it
   */
  static String page(String title, String body, boolean live) {
    return render(
        "page.html", Map.of("title", title, "style", style(), "body", body, "live", live));
  }

  /** Returns an element for other pages, such as the output of a notebook. */
  static String fragment(String body) {
    return render("fragment.html", Map.of("style", style(), "body", body));
  }

  /** Returns a template of this package with values. */
  static String render(String template, Map<String, ?> values) {
    return new PageTemplate(resource(template)).render(values);
  }

  private static String style() {
    return resource("style.css").stripTrailing();
  }

  private static String resource(String name) {
    try (InputStream file = HtmlPage.class.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(file, name).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
