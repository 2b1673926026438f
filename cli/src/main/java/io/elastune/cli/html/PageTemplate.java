package io.elastune.cli.html;

import io.elastune.cli.svg.MarkupEscaper;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page with tags in the syntax of Mustache: <code>{{name}}</code> is replaced by escaped text,
 * <code>{{{name}}}</code> by markup. The section between <code>{{#name}}</code> and <code>{{/name}}
 * </code> is repeated for each element of a list, whose values it adds to those around it, or is
 * kept if the value is true. A tag of a section that is alone in its line leaves no line. Sections
 * of the same name are not nested.
 */
record PageTemplate(String text) {
  private static final Pattern TAG =
      Pattern.compile(
          "(?m)\\{\\{\\{(?<markup>\\w+)}}}|\\{\\{(?<text>\\w+)}}"
              + "|^\\{\\{#(?<block>\\w+)}}\\n|\\{\\{#(?<inline>\\w+)}}");

  /** Returns the page with these values, by name: text, booleans, or lists of maps of values. */
  String render(Map<String, ?> values) {
    StringBuilder page = new StringBuilder(text.length());
    Matcher tag = TAG.matcher(text);
    int at = 0;
    while (tag.find(at)) {
      page.append(text, at, tag.start());
      at = tag.end();
      if (tag.group("markup") != null) {
        page.append(value(tag.group("markup"), values));
      } else if (tag.group("text") != null) {
        page.append(MarkupEscaper.escape(value(tag.group("text"), values).toString()));
      } else {
        boolean block = tag.group("block") != null;
        String name = block ? tag.group("block") : tag.group("inline");
        String end = block ? "{{/" + name + "}}\n" : "{{/" + name + "}}";
        int close = text.indexOf(end, at);
        renderSection(text.substring(at, close), value(name, values), values, page);
        at = close + end.length();
      }
    }
    return page.append(text, at, text.length()).toString();
  }

  private static void renderSection(
      String text, Object value, Map<String, ?> outer, StringBuilder page) {
    PageTemplate section = new PageTemplate(text);
    if (value instanceof List<?> elements) {
      for (Object element : elements) {
        Map<String, Object> values = new HashMap<>(outer);
        ((Map<?, ?>) element).forEach((name, some) -> values.put((String) name, some));
        page.append(section.render(values));
      }
    } else if (value.equals(true)) {
      page.append(section.render(outer));
    }
  }

  private static Object value(String name, Map<String, ?> values) {
    return Objects.requireNonNull(values.get(name), name);
  }
}
