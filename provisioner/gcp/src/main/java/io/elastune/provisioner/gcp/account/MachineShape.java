package io.elastune.provisioner.gcp.account;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A machine type, and what is attached to it. Most types have their GPUs built in; to the older
 * ones they are attached, which offers write as {@code n1-standard-8+2xnvidia-tesla-t4}.
 *
 * @param machine Google's name of the machine type
 * @param accelerator Google's name of the GPUs attached to it; empty if none are
 * @param count how many; empty if none are
 */
public record MachineShape(String machine, Optional<String> accelerator, OptionalInt count) {
  private static final Pattern ATTACHED =
      Pattern.compile("([a-z0-9-]+)\\+([1-9][0-9]?)x([a-z][a-z0-9-]*)");

  /** Reads an offer's instance type. */
  public static MachineShape of(String instanceType) {
    Matcher attached = ATTACHED.matcher(instanceType);
    return attached.matches()
        ? new MachineShape(
            attached.group(1),
            Optional.of(attached.group(3)),
            OptionalInt.of(Integer.parseInt(attached.group(2))))
        : new MachineShape(instanceType, Optional.empty(), OptionalInt.empty());
  }

  /** With GPUs attached. */
  public static MachineShape of(String machine, String accelerator, int count) {
    return new MachineShape(machine, Optional.of(accelerator), OptionalInt.of(count));
  }

  /** As offers write it. */
  @Override
  public String toString() {
    return accelerator.map(name -> machine + "+" + count.orElse(1) + "x" + name).orElse(machine);
  }
}
