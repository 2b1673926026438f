package io.elastune.provisioner.aws.fake;

/** Builds the XML of responses. */
final class Xml {
  private Xml() {}

  static String element(String name, String text) {
    return "<" + name + ">" + escaped(text) + "</" + name + ">";
  }

  static String nested(String name, String content) {
    return "<" + name + ">" + content + "</" + name + ">";
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
