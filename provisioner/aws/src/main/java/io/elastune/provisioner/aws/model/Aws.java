package io.elastune.provisioner.aws.model;

/** The name of Amazon Web Services in this product. */
public final class Aws {
  /** The name of the provider, of its infrastructures and of its section in {@code clouds.yaml}. */
  public static final String PROVIDER = "aws";

  private Aws() {}
}
