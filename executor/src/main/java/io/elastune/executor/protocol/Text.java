package io.elastune.executor.protocol;

/** Makes what a trial has written fit for a message. */
public final class Text {
  private static final int MOST = 200;

  private Text() {}

  /** One short line without control characters: it is shown on terminals. */
  public static String shown(String line) {
    String clean = line.replaceAll("\\p{Cntrl}", " ").strip();
    return clean.length() <= MOST ? clean : clean.substring(0, MOST) + "…";
  }
}
