package io.elastune.cli.host;

import io.elastune.cli.remote.RemoteProtocol;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * Passes on the output of a remote command that prints JSON Lines. After a reconnection, it omits
 * the lines of the run that were already printed.
 */
final class OutputRelay {
  private static final String FIRST = "{\"event\":\"started\"";

  private final PrintStream out;
  private int printed;
  private boolean begun;
  private int skip;

  OutputRelay(PrintStream out) {
    this.out = out;
  }

  /** Passes on everything, as it arrives. */
  static Thread copy(InputStream from, PrintStream to) {
    return start(
        () -> {
          byte[] buffer = new byte[1 << 13];
          for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
            to.write(buffer, 0, read);
            to.flush();
          }
        });
  }

  /** Passes on whole lines, without those that an earlier connection has printed. */
  Thread relay(InputStream from) {
    skip = printed;
    return start(
        () -> {
          ByteArrayOutputStream line = new ByteArrayOutputStream();
          for (int next = from.read(); next >= 0; next = from.read()) {
            line.write(next);
            if (next == '\n') {
              print(line);
              line.reset();
            }
          }
        });
  }

  private void print(ByteArrayOutputStream line) {
    begun = begun || line.toString(StandardCharsets.UTF_8).startsWith(FIRST);
    if (skip > 0) {
      skip--;
      return;
    }
    printed += begun ? 1 : 0;
    out.writeBytes(line.toByteArray());
    out.flush();
  }

  /** An action on a connection. */
  interface Copy {
    /** Runs until the connection is closed. */
    void run() throws IOException;
  }

  /** Runs an action in the background. */
  static Thread start(Copy copy) {
    Thread thread =
        new Thread(
            () -> {
              try {
                copy.run();
              } catch (IOException e) {
                return; // the connection is closed, which the exit code of ssh reports
              }
            },
            "elastune-relay");
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Sends Ctrl-C to a remote command that has no terminal. */
  static void interrupt(OutputStream input) {
    try {
      input.write(RemoteProtocol.INTERRUPT);
      input.flush();
    } catch (IOException e) {
      return; // the connection is closed
    }
  }
}
