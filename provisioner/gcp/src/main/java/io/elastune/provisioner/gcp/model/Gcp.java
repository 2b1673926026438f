package io.elastune.provisioner.gcp.model;

/** The name of Google Cloud in this product. */
public final class Gcp {
  /** The name of the provider, of its infrastructures and of its section in {@code clouds.yaml}. */
  public static final String PROVIDER = "gcp";

  private Gcp() {}
}
