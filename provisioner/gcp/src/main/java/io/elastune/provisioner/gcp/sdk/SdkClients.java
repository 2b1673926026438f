package io.elastune.provisioner.gcp.sdk;

import com.google.api.gax.core.BackgroundResource;
import com.google.api.gax.core.FixedCredentialsProvider;
import com.google.api.gax.rpc.ClientSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/** Creates the library's clients on demand and closes all of them together. */
final class SdkClients implements AutoCloseable {
  private final ClientConfig clientConfig;
  private final List<BackgroundResource> open = new ArrayList<>();
  private boolean closed;

  SdkClients(ClientConfig clientConfig) {
    this.clientConfig = clientConfig;
  }

  /** Creates a client. */
  interface ClientFactory<S, C> {
    C create(S settings) throws IOException;
  }

  synchronized <
          S extends ClientSettings<S>,
          B extends ClientSettings.Builder<S, B>,
          C extends BackgroundResource>
      C create(B settings, ClientFactory<S, C> clientFactory) {
    if (closed) { // by a call in progress: the new client would never be closed
      throw new RejectedExecutionException("the client is closed");
    }
    settings.setCredentialsProvider(FixedCredentialsProvider.create(clientConfig.credentials()));
    clientConfig.endpoint().ifPresent(settings::setEndpoint);
    try {
      C made = clientFactory.create(settings.build());
      open.add(made);
      return made;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Closes all clients. An open client keeps the JVM running. */
  @Override
  public synchronized void close() {
    closed = true;
    open.forEach(BackgroundResource::shutdown);
    open.clear();
  }
}
