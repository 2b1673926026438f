package io.elastune.provisioner.aws.sdk;

import java.util.Locale;

/** Names GPU models as profiles do, e.g. {@code T4G}, {@code A100-80GB}, {@code RTX-PRO-6000}. */
final class GpuModels {
  private static final int MIB_PER_GIB = 1024;

  /** The A100 exists with 40 GiB and 80 GiB, which differ in training speed. */
  private static final int PLAIN_A100_GIB = 40;

  private GpuModels() {}

  /**
   * Returns the model for EC2's name.
   *
   * @param mib the memory of one GPU, in MiB
   */
  static String name(String ec2Name, int mib) {
    String name =
        ec2Name
            .toUpperCase(Locale.ROOT)
            .replace("RADEON PRO ", "")
            .replace("NVIDIA ", "")
            .replaceFirst("( SERVER| BLACKWELL).*$", "")
            .strip()
            .replaceAll("[^A-Z0-9]+", "-");
    return name.equals("A100") && mib > PLAIN_A100_GIB * MIB_PER_GIB ? "A100-80GB" : name;
  }
}
