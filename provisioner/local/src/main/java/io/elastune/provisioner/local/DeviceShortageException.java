package io.elastune.provisioner.local;

/** Thrown if an instance cannot get its cores or GPUs; the message says which run holds them. */
final class DeviceShortageException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean temporary;

  /** {@code temporary}: whether the machine has enough of them, but other instances hold them. */
  DeviceShortageException(String message, boolean temporary) {
    super(message);
    this.temporary = temporary;
  }

  boolean isTemporary() {
    return temporary;
  }
}
