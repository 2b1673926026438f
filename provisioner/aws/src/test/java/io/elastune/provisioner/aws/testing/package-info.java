/** What tests of several packages share. */
@NullMarked
package io.elastune.provisioner.aws.testing;

import org.jspecify.annotations.NullMarked;
