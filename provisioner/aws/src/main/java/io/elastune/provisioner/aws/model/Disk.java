package io.elastune.provisioner.aws.model;

import io.elastune.core.Preconditions;

/**
 * The root disk of nodes: an encrypted gp3 volume, deleted with its instance.
 *
 * @param gb its size in GB; EC2 refuses a size below that of the image
 * @param device the name of the root device in the image, such as {@code /dev/sda1}
 */
public record Disk(int gb, String device) {
  /** The name of the root device of Ubuntu images. */
  public static final String UBUNTU = "/dev/sda1";

  public Disk {
    Preconditions.atLeast("disk_gb", 1, gb);
    Preconditions.text("root_device", device);
  }
}
