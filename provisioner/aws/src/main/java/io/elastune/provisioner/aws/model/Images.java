package io.elastune.provisioner.aws.model;

import io.elastune.provisioner.ProcessorArchitecture;
import java.util.Map;
import java.util.Optional;

/**
 * The machine images of nodes, by the architecture of the instance type: {@code x86_64} or {@code
 * arm64}. An image is an id or {@code resolve:ssm:PARAMETER}, which EC2 resolves at each launch.
 */
public record Images(Map<String, String> byArchitecture) {
  static final String X86 = ProcessorArchitecture.X86_64;
  static final String ARM = ProcessorArchitecture.ARM64;

  /** No image: the launch template defines it. */
  public static final Images NONE = new Images(Map.of());

  public Images {
    byArchitecture = Map.copyOf(byArchitecture);
  }

  /** Returns one image for all types. */
  public static Images of(String image) {
    return new Images(Map.of(X86, image, ARM, image));
  }

  /** Returns the architecture of an instance type. */
  public static String architecture(String type) {
    return ProcessorArchitecture.of(Aws.PROVIDER, type);
  }

  /** Returns the image for an instance type; empty if none is given for its architecture. */
  public Optional<String> forType(String type) {
    return Optional.ofNullable(byArchitecture.get(architecture(type)));
  }

  /** Returns whether the launch template defines the image. */
  public boolean isEmpty() {
    return byArchitecture.isEmpty();
  }
}
