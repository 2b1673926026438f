package io.elastune.provisioner;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/**
 * Explains failures of network connections. The exceptions of Java's HTTP client often have no
 * message, and their classes mean nothing to users.
 */
public final class NetworkFailure {
  private static final String CHECK_NETWORK =
      "; check the network connection, the firewall and the proxy of this machine";

  private NetworkFailure() {}

  /**
   * Returns what failed, and the remedy, as a clause without the names of exceptions.
   *
   * @param host the host to which the connection was made
   */
  public static String text(IOException failure, String host) {
    return find(failure, host)
        .orElseGet(
            () -> {
              String message = message(failure);
              return "the connection to "
                  + host
                  + " failed"
                  + (message.isEmpty() ? "" : ": " + message)
                  + CHECK_NETWORK;
            });
  }

  /**
   * Returns the same for a failure that may have other causes; empty if none of its causes is that
   * of a connection.
   *
   * @param host the host to which the connection was made
   */
  public static Optional<String> find(Throwable failure, String host) {
    List<Throwable> causes =
        Stream.iterate(failure, some -> some != null, Throwable::getCause).toList();
    for (Throwable cause : causes) {
      if (cause instanceof UnknownHostException unknown) {
        return Optional.of(unknownHost(name(unknown, host)));
      }
      if (cause instanceof UnresolvedAddressException) {
        return Optional.of(unknownHost(host));
      }
    }
    return causes.stream().flatMap(cause -> explain(cause, causes, host).stream()).findFirst();
  }

  private static Optional<String> explain(Throwable cause, List<Throwable> causes, String host) {
    String text = message(cause).toLowerCase(Locale.ROOT);
    if (cause instanceof SSLException) {
      return Optional.of(
          "TLS with "
              + host
              + " failed: "
              + message(cause)
              + "; check the clock of this machine and, if a proxy decrypts the traffic, that Java"
              + " trusts its certificate");
    }
    if (cause instanceof HttpTimeoutException
        || cause instanceof SocketTimeoutException
        || (cause instanceof ConnectException && text.contains("timed out"))) {
      return Optional.of(host + " did not answer within the time limit" + CHECK_NETWORK);
    }
    if (cause instanceof ConnectException && isRefused(causes)) {
      return Optional.of(
          host + " refused the connection; check the address, and that the service runs there");
    }
    if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
      return Optional.of(host + " cannot be reached" + CHECK_NETWORK);
    }
    if (cause instanceof SocketException || cause instanceof EOFException) {
      return Optional.of("the connection to " + host + " was cut" + CHECK_NETWORK);
    }
    return Optional.empty();
  }

  /** Java's HTTP client reports a refused connection without a message. */
  private static boolean isRefused(List<Throwable> causes) {
    return causes.stream()
        .anyMatch(
            cause ->
                cause instanceof ClosedChannelException
                    || message(cause).toLowerCase(Locale.ROOT).contains("refused"));
  }

  private static String unknownHost(String host) {
    return "unknown host "
        + host
        + "; check the name, such as that of a region, and the network connection of this machine";
  }

  /** Some systems add the reason to the name. */
  private static String name(UnknownHostException failure, String host) {
    String name = message(failure).split("[:\\s]", 2)[0];
    return name.isEmpty() ? host : name;
  }

  private static String message(Throwable failure) {
    return failure.getMessage() == null ? "" : failure.getMessage().strip();
  }
}
