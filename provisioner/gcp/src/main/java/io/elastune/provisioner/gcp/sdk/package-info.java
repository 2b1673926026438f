/** Calls through Google's client library. No other package uses the library. */
@NullMarked
package io.elastune.provisioner.gcp.sdk;

import org.jspecify.annotations.NullMarked;
