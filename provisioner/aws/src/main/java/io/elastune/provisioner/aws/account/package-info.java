/** Queries of an AWS account outside of runs: orphans, offers and preflight checks. */
@NullMarked
package io.elastune.provisioner.aws.account;

import org.jspecify.annotations.NullMarked;
