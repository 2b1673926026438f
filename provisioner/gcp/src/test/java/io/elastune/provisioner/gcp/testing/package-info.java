/** What tests of several packages share. */
@NullMarked
package io.elastune.provisioner.gcp.testing;

import org.jspecify.annotations.NullMarked;
