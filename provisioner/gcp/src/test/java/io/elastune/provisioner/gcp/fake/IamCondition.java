package io.elastune.provisioner.gcp.fake;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A condition of an IAM binding on the name of the resource. Of the expression language, it
 * supports {@code resource.name.extract("TEXT{name}").startsWith("PREFIX")}.
 *
 * @param before the text before the extracted part
 * @param prefix the prefix that the extracted part needs
 */
record IamCondition(String before, String prefix) {
  private static final Pattern FORM =
      Pattern.compile(
          "resource\\.name\\.extract\\(\"([^\"{]+)\\{name}\"\\)"
              + "\\.startsWith\\(\"([^\"]+)\"\\)");

  static IamCondition parse(String expression) {
    Matcher parts = FORM.matcher(expression);
    if (!parts.matches()) {
      throw new IllegalArgumentException("unsupported condition: " + expression);
    }
    return new IamCondition(parts.group(1), parts.group(2));
  }

  /**
   * Returns whether the condition holds for a resource such as {@code
   * projects/P/zones/Z/instances/NAME}. The extracted part of other resources is empty.
   */
  boolean holds(String resource) {
    int from = resource.indexOf(before);
    return from >= 0 && resource.substring(from + before.length()).startsWith(prefix);
  }
}
