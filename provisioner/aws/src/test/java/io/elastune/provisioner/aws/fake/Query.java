package io.elastune.provisioner.aws.fake;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses a call in AWS's Query protocol: a form with names such as {@code Filter.1.Value.2}. */
record Query(Map<String, String> fields) {
  /** The body of a call in AWS's JSON protocol. */
  static final String BODY = "(body)";

  static Query parse(String body) {
    Map<String, String> fields = new TreeMap<>();
    for (String pair : body.split("&", -1)) {
      String[] parts = pair.split("=", 2);
      fields.put(decoded(parts[0]), parts.length > 1 ? decoded(parts[1]) : "");
    }
    return new Query(fields);
  }

  /** Parses a call in AWS's JSON protocol, with string values only. */
  static Query json(String target, String body) {
    Map<String, String> fields = new TreeMap<>();
    fields.put("Action", target.substring(target.lastIndexOf('.') + 1));
    fields.put(BODY, body);
    Matcher pair = Pattern.compile("\"(\\w+)\"\\s*:\\s*\"([^\"]*)\"").matcher(body);
    while (pair.find()) {
      fields.put(pair.group(1), pair.group(2));
    }
    return new Query(fields);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  String action() {
    return text("Action");
  }

  String text(String name) {
    return fields.getOrDefault(name, "");
  }

  int number(String name, int otherwise) {
    return fields.containsKey(name) ? Integer.parseInt(text(name)) : otherwise;
  }

  /** Returns the values of {@code NAME.1}, {@code NAME.2}, … */
  List<String> list(String name) {
    List<String> values = new ArrayList<>();
    for (int i = 1; fields.containsKey(name + "." + i); i++) {
      values.add(text(name + "." + i));
    }
    return values;
  }

  /** Returns the pairs {@code PREFIX.1.Key} and {@code PREFIX.1.Value}, … */
  Map<String, String> pairs(String prefix) {
    Map<String, String> pairs = new LinkedHashMap<>();
    for (int i = 1; fields.containsKey(prefix + "." + i + ".Key"); i++) {
      pairs.put(text(prefix + "." + i + ".Key"), text(prefix + "." + i + ".Value"));
    }
    return pairs;
  }

  /** Returns the tags that a launch gives to its resources of a type, such as {@code volume}. */
  Map<String, String> tagsOf(String resource) {
    Map<String, String> tags = new LinkedHashMap<>();
    for (int i = 1; fields.containsKey("TagSpecification." + i + ".ResourceType"); i++) {
      if (text("TagSpecification." + i + ".ResourceType").equals(resource)) {
        tags.putAll(pairs("TagSpecification." + i + ".Tag"));
      }
    }
    return tags;
  }

  /** Returns the filters by name. */
  Map<String, List<String>> filters() {
    Map<String, List<String>> filters = new LinkedHashMap<>();
    for (int i = 1; fields.containsKey("Filter." + i + ".Name"); i++) {
      filters.put(text("Filter." + i + ".Name"), list("Filter." + i + ".Value"));
    }
    return filters;
  }
}
