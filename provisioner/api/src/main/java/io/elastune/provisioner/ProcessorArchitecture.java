package io.elastune.provisioner;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * The architectures of processors, by the names of instance types. It is not part of the providers,
 * so that an installation without their libraries leaves out the same offers of a file.
 */
public final class ProcessorArchitecture {
  /** The architecture of processors of Intel and AMD. */
  public static final String X86_64 = "x86_64";

  /** The other one, as in the documentation of the clouds. */
  public static final String ARM64 = "arm64";

  /**
   * Types with Arm processors by provider. On AWS those with Graviton, such as g5g and the first of
   * them, a1, and those with Grace; on Google Cloud those with Grace, Axion and Ampere Altra.
   *
   * @see <a href="https://cloud.google.com/compute/docs/instances/arm-on-compute">Arm VMs</a>
   */
  private static final Map<String, Pattern> ARM_TYPES =
      Map.of(
          "aws",
          Pattern.compile("(a1|[a-z]+[0-9]+[a-z]*g[a-z]*|p6e-.*)[.].*"),
          "gcp",
          Pattern.compile("(a4x|c4a|n4a|t2a)-.+"));

  private ProcessorArchitecture() {}

  /** Returns the architecture of an instance type: {@link #X86_64} or {@link #ARM64}. */
  public static String of(String provider, String instanceType) {
    Pattern arm = ARM_TYPES.get(provider);
    return arm != null && arm.matcher(instanceType).matches() ? ARM64 : X86_64;
  }
}
