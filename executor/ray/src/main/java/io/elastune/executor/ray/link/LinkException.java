package io.elastune.executor.ray.link;

import java.util.Optional;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** The failure of a request, with its kind in the protocol. */
public final class LinkException extends Exception {
  private static final long serialVersionUID = 1;

  /** The kind of a request that no bridge and no agent answered in time. */
  public static final String UNREACHABLE = "unreachable";

  /** The kind of a node on which other users could change the files of an agent. */
  public static final String UNSAFE = "unsafe";

  private final String kind;
  private final String node;

  LinkException(String kind, String message) {
    this(kind, message, "");
  }

  LinkException(String kind, String message, String node) {
    super(message);
    this.kind = kind;
    this.node = node;
  }

  /** Returns the failure of a request for an agent that no node has the resources for. */
  public static LinkException pending(String lease) {
    return new LinkException("pending", "no node has the resources of lease " + lease);
  }

  /** Returns the failure of a request that caused an exception of a future. */
  public static Optional<LinkException> causeOf(@Nullable Throwable failure) {
    return failure != null && unwrapped(failure) instanceof LinkException found
        ? Optional.of(found)
        : Optional.empty();
  }

  /** Returns what a future has failed with: a stage after it wraps the exception. */
  public static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** Returns the kind, such as {@code io}. */
  public String kind() {
    return kind;
  }

  /** Returns the address of the node that has failed; empty if the failure is not one of a node. */
  public String node() {
    return node;
  }

  /** Returns whether the node or the cluster does not answer, so that nothing is known about it. */
  public boolean isLost() {
    return switch (kind) {
      case UNREACHABLE, "no-agent", "no-node", "no-cluster", "pending" -> true;
      default -> false;
    };
  }

  /** Returns whether a repetition may succeed: the head, the bridge or the node may be starting. */
  public boolean isTemporary() {
    return isLost() || kind.startsWith("agent-") || kind.equals("io");
  }
}
