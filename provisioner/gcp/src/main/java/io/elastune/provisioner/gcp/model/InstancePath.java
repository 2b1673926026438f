package io.elastune.provisioner.gcp.model;

/** The zone and the name of a resource, because names are unique only within a zone. */
public record InstancePath(String zone, String name) {
  /**
   * Parses {@code ZONE/NAME}.
   *
   * @throws IllegalArgumentException if the text has another form
   */
  public static InstancePath parse(String path) {
    int slash = path.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("not ZONE/NAME: " + path);
    }
    return new InstancePath(path.substring(0, slash), path.substring(slash + 1));
  }

  /** Returns the region of a zone, which is the zone's name without the last part. */
  public static String regionOf(String zone) {
    int dash = zone.lastIndexOf('-');
    return dash < 0 ? zone : zone.substring(0, dash);
  }

  @Override
  public String toString() {
    return zone + "/" + name;
  }
}
