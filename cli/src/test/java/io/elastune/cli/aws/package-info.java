/** Tests of commands that rent on AWS: the real SDK, a fake EC2, and workers on this machine. */
@NullMarked
package io.elastune.cli.aws;

import org.jspecify.annotations.NullMarked;
