package io.elastune.provisioner.gcp.model;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A machine type with its attached GPUs. Most types have built-in GPUs. Older types get attached
 * ones, which offers write as {@code n1-standard-8+2xnvidia-tesla-t4}.
 *
 * @param machine Google's name of the machine type
 * @param accelerator Google's name of the attached GPUs; empty if there are none
 * @param count the number of attached GPUs; empty if there are none
 */
public record MachineShape(String machine, Optional<String> accelerator, OptionalInt count) {
  private static final Pattern ATTACHED =
      Pattern.compile("([a-z0-9-]+)\\+([1-9][0-9]?)x([a-z][a-z0-9-]*)");

  /** The machine types that only take Hyperdisk. */
  private static final Pattern HYPERDISK_ONLY = Pattern.compile("(g4|a4x?|a3-ultragpu)-.+");

  /** Parses an offer's instance type. */
  public static MachineShape of(String instanceType) {
    Matcher attached = ATTACHED.matcher(instanceType);
    return attached.matches()
        ? new MachineShape(
            attached.group(1),
            Optional.of(attached.group(3)),
            OptionalInt.of(Integer.parseInt(attached.group(2))))
        : new MachineShape(instanceType, Optional.empty(), OptionalInt.empty());
  }

  /** Returns a machine type with attached GPUs. */
  public static MachineShape of(String machine, String accelerator, int count) {
    return new MachineShape(machine, Optional.of(accelerator), OptionalInt.of(count));
  }

  /**
   * Returns the type of the boot disk. Google's default for G2, {@code pd-standard}, cannot be used
   * with it, so a type is always given.
   *
   * @param setting the type from the settings, which applies to machine types that take it
   */
  public String bootDiskType(Optional<String> setting) {
    boolean hyperdiskOnly = HYPERDISK_ONLY.matcher(machine).matches();
    return setting
        .filter(type -> !hyperdiskOnly || type.startsWith("hyperdisk-"))
        .orElse(hyperdiskOnly ? "hyperdisk-balanced" : "pd-balanced");
  }

  /** Returns the instance type as offers write it. */
  @Override
  public String toString() {
    return accelerator.map(name -> machine + "+" + count.orElse(1) + "x" + name).orElse(machine);
  }
}
