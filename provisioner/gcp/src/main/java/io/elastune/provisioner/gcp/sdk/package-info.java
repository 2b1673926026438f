/** The calls made with Google's client library: no other package of ours knows it. */
@NullMarked
package io.elastune.provisioner.gcp.sdk;

import org.jspecify.annotations.NullMarked;
